"""What a template would write to get out of its sandbox, or to change what it is given."""

from __future__ import annotations

# Each with a value `items`, a list.
REACHING_OUT = (
    "{{ ''.__class__ }}",
    "{{ items.__class__.__mro__ }}",
    "{{ ''['__class__'] }}",
    "{{ ''|attr('__class__') }}",
    "{{ '{0.__class__}'.format(items) }}",
    "{{ '{x.__class__}'.format_map({'x': items}) }}",
    "{{ self.__init__.__globals__ }}",
    "{{ range.__globals__ }}",
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "{% for name in ''.__class__.__base__.__subclasses__() %}{{ name }}{% endfor %}",
    "{{ items.append(1) }}",
    "{{ items.clear() }}",
)
