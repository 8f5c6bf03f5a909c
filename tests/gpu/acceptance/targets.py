# SPDX-License-Identifier: MIT
"""What the bundled CUDA shim is to reach on an H200: a row for each kind of batch, with the bound
that it must reach, the one it aims at, and its workloads by the names that they have in configs/."""
import dataclasses
import re

import anchors
from figures import number_text


@dataclasses.dataclass(frozen=True)
class Figure:
    """What a row is judged by, computed from Records; None where it cannot be had."""
    of: callable  # (record, {name: record}) -> number or None
    relation: str
    unit: str
    what: str


@dataclasses.dataclass(frozen=True)
class Target:
    name: str
    figure: Figure
    must: float
    aim: float
    workloads: tuple  # (config, name); empty: all that were measured


def speed_against_fa2(record, _):
    fa2_us = anchors.FA2_US.get(record.name)
    return fa2_us / record.us if fa2_us else None


def times_of_one_token(record, records):
    """Against the same batch with q = 1."""
    one = records.get(re.sub(r"\d+ of", "1 of", record.name))
    return record.us / one.us if one and one.us else None


READ_PERCENT = Figure(lambda record, _: record.read_percent, "≥", "%", "of the read ceiling")
MATRIX_RATE = Figure(lambda record, _: record.tflop_per_s, "≥", "TFLOP/s", "")
SPEED = Figure(speed_against_fa2, "≥", "×", "FA2's speed")
GROWTH = Figure(times_of_one_token, "≤", "×", "the time of q = 1")
HOST = Figure(lambda record, _: record.host_us, "≤", "µs", "")

CONFIGS = ("decode", "prefill", "mixed", "spec_verify", "gqa", "long_context")
HEADS_OF_GQA = ("28/4", "40/8", "24/8", "14/2", "48/6", "5/1", "64/8", "32/8", "32/4", "16/2",
                "8/8", "8/1", "3/3", "1/1", "71/1")


def of(config, *names):
    return tuple((config, name) for name in names)


TARGETS = (
    Target("decode, batch ≥ 8, kv ≥ 1024", READ_PERCENT, 70, 90,
           of("decode", "decode 8 x 4096", "decode 16 x 1024", "decode 32 x 4096",
              "decode 128 x 2048", "decode 256 x 1024", "decode 64 x 4096, 8 KV heads")),
    # Of these sequences 9 have kv 1000 and 7 have 333: shorter than the row above asks.
    Target("the same for any GQA of configs/gqa", READ_PERCENT, 70, 90,
           of("gqa", *(f"decode {heads}" for heads in HEADS_OF_GQA))),
    Target("decode 1 × 32768", READ_PERCENT, 45, 75, of("decode", "decode 1 x 32768")),
    Target("decode 1 × 4096, 32 × 384", SPEED, 3, 6,
           of("decode", "decode 1 x 4096", "decode 32 x 384")),
    Target("spec_verify, q = 2 … 16 at 31 k context", GROWTH, 1.5, 1.15,
           of("spec_verify", *(f"verify {q} of 31744" for q in (2, 4, 8, 16)),
              *(f"verify 8 x ({q} of 31744)" for q in (2, 4, 8, 16)))),
    Target("prefill 1 × 16384", MATRIX_RATE, 400, 620, of("prefill", "prefill 1 x 16384")),
    Target("prefill 1 × 4096, 4 × 512, 4 × 256", SPEED, 1, 1.6,
           of("prefill", "prefill 1 x 4096", "prefill 4 x 512", "prefill 4 x 256")),
    Target("mixed", SPEED, 1, 2,
           of("mixed", "mixed 3x256 prefill + 4x(1 of 257)",
              "mixed 1x(512 of 4608) + 32x(1 of 2048)")),
    Target("host time per call", HOST, 10, 4, ()),
)


def value_text(value, figure):
    return "-" if value is None else number_text(value, figure.unit)


def meets(value, figure, bound):
    return value is not None and (value >= bound if figure.relation == "≥" else value <= bound)


def is_target(name):
    return any(name == other for target in TARGETS for _, other in target.workloads)
