"""Laws of the difference, for any settings: nothing against itself, and taking it makes what is wanted."""

from __future__ import annotations

from dataclasses import fields, replace

from hypothesis import given
from hypothesis import strategies as st

from fabric.diff.compare import compare
from fabric.settings.addresses import Address, Addresses
from fabric.settings.facet import ABSENT, Settings
from fabric.settings.links import Links, Port
from fabric.settings.pfc import Pause, Pfc
from fabric.settings.scope import Scope

NAMES = [f"swp{number}" for number in (1, 2, 3, 10, 11)]
KEYS = st.sampled_from(NAMES)
FULL_PORTS = st.builds(Port, mtu=st.integers(1280, 1300), enabled=st.booleans(), speed=st.sampled_from([1, 2]))
MAYBE_PORTS = st.builds(
    Port,
    mtu=st.one_of(st.just(ABSENT), st.integers(1280, 1300)),
    enabled=st.one_of(st.just(ABSENT), st.booleans()),
    speed=st.one_of(st.just(ABSENT), st.sampled_from([1, 2])),
)
PAUSES = st.builds(Pause, priorities=st.frozensets(st.integers(0, 7), max_size=3))
ADDRESS_KEYS = st.builds("{} 10.0.0.{}/31".format, KEYS, st.integers(0, 3))
SCOPES = st.builds(Scope, ports=st.frozensets(KEYS))


def settings_of(ports):
    links = st.builds(Links, st.dictionaries(KEYS, ports))
    pfc = st.builds(Pfc, st.dictionaries(KEYS, PAUSES))
    addresses = st.builds(Addresses, st.dictionaries(ADDRESS_KEYS, st.just(Address())))
    return st.builds(lambda chosen: Settings(*chosen), st.tuples(links, pfc, addresses))


REMOVABLE = frozenset({"pfc", "addresses"})
READ = settings_of(FULL_PORTS)
WANTED = st.builds(
    lambda whole, names: whole.only(frozenset(names)),
    settings_of(MAYBE_PORTS),
    st.sets(st.sampled_from(["links", "pfc", "addresses"])),
)


def with_opinions_of(wanted, now):
    """A row in which what the wanted one leaves open stays as it is."""
    if now is None:
        return wanted
    opinions = {field.name: getattr(wanted, field.name) for field in fields(wanted)}
    return replace(now, **{name: value for name, value in opinions.items() if value is not ABSENT})


def taken(now, delta):
    """The settings that a node has once a delta is carried out on it."""
    for facet in now:
        rows = dict(facet.rows)
        for key, before, wanted in delta.of(type(facet)):
            assert rows.get(key) == before
            if wanted is None:
                del rows[key]
            else:
                rows[key] = with_opinions_of(wanted, before)
        now = now.with_(replace(facet, rows=rows))
    return now


def outside(settings, scope):
    return {
        facet.name: {key: row for key, row in facet.rows.items() if not facet.owned(key, scope)} for facet in settings
    }


@given(READ, SCOPES)
def test_nothing_differs_from_itself(settings, scope):
    delta = compare("leaf01", settings, settings, scope, {})
    assert not delta
    assert delta.unverified == ()


@given(READ, WANTED, SCOPES)
def test_taking_the_delta_leaves_nothing_to_do(now, wanted, scope):
    after = taken(now, compare("leaf01", now, wanted, scope, {}))
    assert not compare("leaf01", after, wanted, scope, {})


@given(READ, READ, SCOPES)
def test_taking_the_delta_makes_what_is_wanted_within_the_scope(now, wanted, scope):
    after = taken(now, compare("leaf01", now, wanted, scope, {})).within(scope)
    assert after.only(REMOVABLE) == wanted.within(scope).only(REMOVABLE)
    ports = after.rows(Links)
    assert {key: ports[key] for key in wanted.within(scope).rows(Links)} == wanted.within(scope).rows(Links)


@given(READ, WANTED, SCOPES)
def test_what_is_outside_the_scope_or_unmanaged_stays(now, wanted, scope):
    after = taken(now, compare("leaf01", now, wanted, scope, {}))
    assert outside(after, scope) == outside(now, scope)
    managed = frozenset(facet.name for facet in wanted)
    others = frozenset({"links", "pfc", "addresses"}) - managed
    assert after.only(others) == now.only(others)


@given(READ, WANTED, SCOPES)
def test_equal_input_gives_equal_output_whatever_the_order_of_rows(now, wanted, scope):
    shuffled = Settings(*(replace(facet, rows=dict(reversed(facet.rows.items()))) for facet in now))
    assert compare("leaf01", shuffled, wanted, scope, {}) == compare("leaf01", now, wanted, scope, {})
