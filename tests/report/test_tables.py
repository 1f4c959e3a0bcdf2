"""Tables fold where a terminal is narrow, and never lose a letter."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from fabric.report.tables import printed, table

WORDS = st.text("abcdefgh0123456789.,:()", min_size=1, max_size=50)
CELLS = st.lists(WORDS, max_size=12).map(" ".join)
TABLES = st.integers(1, 6).flatmap(lambda columns: st.lists(st.tuples(*[CELLS] * columns), min_size=1, max_size=5))


def letters(text):
    return Counter("".join(text.split()))


@given(rows=TABLES, width=st.integers(20, 200))
def test_every_letter_stands_there_at_any_width(rows, width):
    columns = tuple(f"c {number}" for number in range(len(rows[0])))
    wide, narrow = (printed([table(columns, rows)], color=False, width=columns_of) for columns_of in (0, width))
    assert letters(narrow) == letters(wide)


@given(rows=TABLES)
def test_a_table_that_fits_is_not_folded(rows):
    columns = tuple(f"c {number}" for number in range(len(rows[0])))
    wide = printed([table(columns, rows)], color=False)
    assert printed([table(columns, rows)], color=False, width=max(map(len, wide.splitlines()))) == wide


def test_a_column_gets_what_the_others_do_not_need():
    row = ("addresses", "net.ipv4.fib_multipath_hash_policy, net.ipv4.ip_forward", "queues (number 0, share 20) " * 4)
    lines = printed([table(("facet", "key", "change"), [row])], color=False, width=80).splitlines()
    assert max(map(len, lines)) <= 80
    assert "net.ipv4.fib_multipath_hash_policy," in lines[1]
