

def test_a_catalogue_that_was_replaced_in_one_process_is_seen(tmp_path: Path) -> None:
    """What is remembered of the file is forgotten with the file."""
    lake = Lake(str(tmp_path / "lake"))
    path = Path(catalogue.build(lake))
    right = path.read_bytes()
    for wrong in (b"no database", b""):
        path.unlink()
        path.write_bytes(wrong)
        assert catalogue.build(lake) == str(path)
        with catalogue.connect(lake) as connection:
            assert connection.execute("SELECT count(*) FROM questions").fetchone() == (0,)
        assert len(path.read_bytes()) == len(right)
