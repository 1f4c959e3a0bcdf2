"""Address pools that go together: families, lengths of what is cut from them, and where router ids come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fabric.errors import Problem
from fabric.intent.prefixes import IpNetwork, parse_prefix
from fabric.intent.tree import Data, Path, Tree, dotted

_ABOVE: Final = "addressing"
_HOSTS: Final[Path] = (_ABOVE, "hosts")
_POINT_TO_POINT: Final = {4: 31, 6: 127}
_LONGEST_SUBNET: Final = {4: 29, 6: 126}  # a gateway and several hosts


def pool_problems(tree: Tree) -> Iterator[Problem]:
    """Yield pools whose families differ, a form of hosts that is not whole, and router ids that nothing gives."""
    yield from _families(tree)
    yield from _router_ids(tree)
    if tree.mapping(*_HOSTS):
        yield from _form(tree)
        yield from _lengths(tree)


def _pools(data: Data) -> tuple[IpNetwork, ...]:
    """Return the networks of a pool as they are written; none where it is no pool, which the models say."""
    try:
        return tuple(parse_prefix(one) for one in (data if isinstance(data, list) else [data]))
    except ValueError:
        return ()


def _of_hosts(tree: Tree) -> tuple[IpNetwork, ...]:
    form = tree.mapping(*_HOSTS)
    return _pools(form.get("prefix") if form else tree.get(*_HOSTS))


def _written(pools: tuple[IpNetwork, ...]) -> str:
    return " and ".join(f"IPv{version}" for version in sorted({pool.version for pool in pools}))


def _families(tree: Tree) -> Iterator[Problem]:
    loopbacks = _pools(tree.get(_ABOVE, "loopbacks"))
    for key, pools in (("links", _pools(tree.get(_ABOVE, "links"))), ("hosts", _of_hosts(tree))):
        if loopbacks and pools and _written(pools) != _written(loopbacks):
            said = f"addressing.{key}: {_written(pools)}, and loopbacks are {_written(loopbacks)}"
            hint = "give all pools the same families; links may be unnumbered, which serves both"
            yield Problem(said, tree.value_place((_ABOVE, key)), hint)


def _router_ids(tree: Tree) -> Iterator[Problem]:
    loopbacks, path = _pools(tree.get(_ABOVE, "loopbacks")), (_ABOVE, "router_ids")
    if not loopbacks:
        return
    with_ipv4 = any(pool.version == 4 for pool in loopbacks)
    if path not in tree.keys and not with_ipv4:
        hint = "add router_ids: an IPv4 pool, such as 10.254.0.0/16, that is announced nowhere; BGP names routers by it"
        said = "addressing.router_ids is missing: loopbacks are IPv6 only"
        yield Problem(said, tree.key_place((_ABOVE,)), hint)
    elif path in tree.keys and with_ipv4:
        hint = "the IPv4 loopbacks are the router ids: leave it out"
        yield Problem("addressing.router_ids means nothing here", tree.key_place(path), hint)


def _form(tree: Tree) -> Iterator[Problem]:
    form = tree.mapping(*_HOSTS)
    for key in ("vlan", "gateway"):
        path = (*_HOSTS, key)
        if form.get("per") == "leaf" and key not in form:
            value = {"vlan": "vlan: a VLAN ID, such as 100", "gateway": "gateway: anycast"}[key]
            said = f"{dotted(path)} is missing: per is leaf"
            yield Problem(said, tree.key_place(_HOSTS), f"add {value}")
        elif form.get("per") == "nic" and key in form:
            hint = "each NIC has a cable of its own: leave it out, or choose per: leaf"
            yield Problem(f"{dotted(path)} means nothing with per: nic", tree.key_place(path), hint)


def _lengths(tree: Tree) -> Iterator[Problem]:
    """Yield lengths that are not as many as the pools, or that do not fit them one by one."""
    form, path, pools = tree.mapping(*_HOSTS), (*_HOSTS, "length"), _of_hosts(tree)
    given = form.get("length")
    lengths = [length for length in (given if isinstance(given, list) else [given]) if type(length) is int]
    if not pools or not lengths or (isinstance(given, list) and len(lengths) != len(given)):
        return
    place = tree.value_place(path)
    if len(lengths) != len(pools):
        said = f"{dotted(path)}: found {len(lengths)}, and prefix has {len(pools)}"
        yield Problem(said, place, "give one length for each prefix, in the same order")
        return
    if [pool.version for pool in pools] == [6, 4]:
        hint = "write the IPv4 prefix first, and the lengths in the same order"
        yield Problem(f"{dotted((*_HOSTS, 'prefix'))}: the IPv6 prefix is first", place, hint)
        return
    for pool, length in zip(pools, lengths, strict=True):
        yield from _length(tree, pool, length)


def _length(tree: Tree, pool: IpNetwork, length: int) -> Iterator[Problem]:
    path, per = (*_HOSTS, "length"), tree.get(*_HOSTS, "per")
    wanted = _POINT_TO_POINT[pool.version]
    if per == "nic" and length != wanted:
        said = f"{dotted(path)}: found {length}, and per is nic"
        yield Problem(said, tree.value_place(path), f"a NIC and its leaf share a /{wanted}: write {wanted}")
    elif per == "leaf" and not pool.prefixlen <= length <= _LONGEST_SUBNET[pool.version]:
        low, high = pool.prefixlen, _LONGEST_SUBNET[pool.version]
        said = f"{dotted(path)}: found {length}, and subnets of leaves are cut from {pool}"
        yield Problem(said, tree.value_place(path), f"allowed: {low} to {high}")
