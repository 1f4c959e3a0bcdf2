"""What is worked out from a network is worked out once."""

from __future__ import annotations

import gc
from weakref import ref

from fabric.settings.network import Network, once


def test_a_network_is_asked_once_and_others_for_themselves():
    asked = []

    @once
    def count(network):
        asked.append(network)
        return len(asked)

    one, other = Network({}, ()), Network({}, ())
    assert [count(each) for each in (one, other, one, other)] == [1, 2, 1, 2]


def test_two_questions_have_two_answers():
    network = Network({}, ())
    assert (once(lambda _: "one")(network), once(lambda _: "other")(network)) == ("one", "other")


def test_an_answer_that_holds_its_network_does_not_keep_it_alive():
    network = Network({}, ())
    once(lambda same: [same])(network)
    seen = ref(network)
    del network
    gc.collect()
    assert seen() is None
