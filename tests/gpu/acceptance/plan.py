# SPDX-License-Identifier: MIT
"""How much the acceptance measures. Its time goes to `repeat`, which is the tool in default
settings; what the other parts show needs less of it."""
import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHIPPED = ("smoke", "decode", "prefill", "mixed", "ferrum_m3", "gqa", "prefix", "spec_verify",
           "long_context", "edge", "big_pool")


@dataclasses.dataclass(frozen=True)
class Plan:
    faulty_shim: pathlib.Path
    gpu_tests: pathlib.Path
    root: pathlib.Path = ROOT
    repeats: int = 20
    gate_seconds: float = 1.5
    truth_seconds: float = 1
    truth_configs: tuple = ("decode", "prefill", "mixed")
    modes_seconds: float = 0.1
    modes_configs: tuple = SHIPPED
    layer_seconds: float = 1
    layer_configs: tuple = ("decode", "prefill")
    pace_seconds: float = 1
    pace_rows: int = 20
    sustained_seconds: float = 10


def quick(plan):
    """To see that everything runs; the figures are worth little."""
    return dataclasses.replace(
        plan, repeats=min(plan.repeats, 3), gate_seconds=0.5, truth_seconds=0.3,
        truth_configs=("prefill", "mixed"), modes_configs=("smoke", "mixed"), layer_seconds=0.3,
        layer_configs=("prefill",), pace_seconds=0.3, pace_rows=4, sustained_seconds=2)
