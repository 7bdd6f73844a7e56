"""What people and things of a country are called where its name alone does not tell: Danes, French.

Names that take an ending, as Kenya's Kenyans, are told by their spelling.
"""

from __future__ import annotations

from evidence_assets.tables.programs.wording.words import word_key

# Each country by its names, and what is of it.
_OF_COUNTRIES = (
    ("united states, usa, us, u.s., united states of america", "american"),
    ("united kingdom, great britain, uk, britain", "british briton"),
    ("england", "english englishman englishwoman"),
    ("scotland", "scottish scot scotsman scotswoman"),
    ("wales", "welsh welshman welshwoman"),
    ("ireland, republic of ireland, northern ireland", "irish irishman irishwoman"),
    ("france", "french frenchman frenchwoman"),
    ("netherlands, the netherlands, holland", "dutch dutchman dutchwoman"),
    ("belgium", "belgian"),
    ("germany, west germany, east germany", "german"),
    ("switzerland", "swiss"),
    ("austria", "austrian"),
    ("italy", "italian"),
    ("spain", "spanish spaniard"),
    ("portugal", "portuguese"),
    ("denmark", "danish dane"),
    ("sweden", "swedish swede"),
    ("norway", "norwegian"),
    ("finland", "finnish finn"),
    ("iceland", "icelandic icelander"),
    ("poland", "polish"),
    ("czech republic, czechoslovakia", "czech"),
    ("slovakia", "slovak"),
    ("slovenia", "slovene slovenian"),
    ("croatia", "croatian croat"),
    ("serbia", "serbian serb"),
    ("hungary", "hungarian"),
    ("ukraine", "ukrainian"),
    ("russia", "russian"),
    ("soviet union", "soviet"),
    ("greece", "greek"),
    ("turkey", "turkish turk"),
    ("cyprus", "cypriot"),
    ("israel", "israeli"),
    ("china", "chinese"),
    ("japan", "japanese"),
    ("taiwan, chinese taipei", "taiwanese"),
    ("thailand", "thai"),
    ("vietnam", "vietnamese"),
    ("philippines", "filipino filipina"),
    ("kazakhstan", "kazakh"),
    ("uzbekistan", "uzbek"),
    ("afghanistan", "afghan"),
    ("pakistan", "pakistani"),
    ("iraq", "iraqi"),
    ("lebanon", "lebanese"),
    ("canada", "canadian"),
    ("argentina", "argentine argentinian"),
    ("brazil", "brazilian"),
    ("peru", "peruvian"),
    ("ecuador", "ecuadorian"),
    ("panama", "panamanian"),
    ("barbados", "barbadian"),
    ("bahamas", "bahamian"),
    ("trinidad and tobago", "trinidadian"),
    ("new zealand", "zealander"),
    ("morocco", "moroccan"),
    ("ghana", "ghanaian"),
    ("senegal", "senegalese"),
    ("togo", "togolese"),
    ("congo", "congolese"),
)
# By the name of a country, the keys of what is of it.
OF_COUNTRIES = {
    name: tuple(map(word_key, words.split())) for names, words in _OF_COUNTRIES for name in names.split(", ")
}
# No other word is one of these, misspelt: who finished is no Finn.
OF_ANY_COUNTRY = frozenset(key for keys in OF_COUNTRIES.values() for key in keys)
