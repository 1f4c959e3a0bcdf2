"""The newer keys of the language on real FRR: both families, tiers, pods, planes, BFD, lists, states; and growth."""

import json
import time
from pathlib import Path

import pytest
from acceptance.bench import Bench

from fabric.lab import control
from fabric.results import ExitCode

pytestmark = pytest.mark.lab

HERE = Path(__file__).parent
