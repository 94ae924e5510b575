# SPDX-License-Identifier: MIT
"""The JSON Schemas, as used by other validators and editors."""

import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import run  # noqa: E402

jsonschema = pytest.importorskip("jsonschema")
yaml = pytest.importorskip("yaml")

DEPLOY = pathlib.Path(__file__).resolve().parents[2] / "deploy"


def validator(*options):
    schema = json.loads(run("schema", *options).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="module")
def kiosks():
    return validator()


@pytest.fixture(scope="module")
def suites():
    return validator("--suite")


class Loader(yaml.SafeLoader):
    """Reads unquoted `on` and times as strings, like our reader and editors."""

    yaml_implicit_resolvers = {
        first: [(tag, regex) for tag, regex in resolvers
                if not tag.endswith(("bool", "timestamp")) or first in "tTfF"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def problem(validator, text):
    """Returns a validator's error for a file, if any."""
    document = yaml.load(text, Loader=Loader)
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    return error and (error.message, list(error.absolute_path))


@pytest.mark.parametrize("path", sorted(DEPLOY.glob("examples/kiosks/*.yaml")), ids=lambda path: path.name)
def test_a_validator_accepts_the_examples(kiosks, path):
    assert problem(kiosks, path.read_text()) is None


@pytest.mark.parametrize("path", sorted(DEPLOY.glob("examples/suites/*.yaml")), ids=lambda path: path.name)
def test_a_validator_accepts_the_suites_of_the_examples(suites, path):
    assert problem(suites, path.read_text()) is None


def kiosk(control):
    return f"kiosk: k\npages: [{{page: p, controls: [{control}]}}]"


BUTTON = "button: b, at: [1, 2], size: [99, 99]"


@pytest.mark.parametrize("control", [
    f"{{{BUTTON}, on: {{pressed: [{{for: [{{a: 1}}, {{a: 2}}], emit: e$a, when: n > 1}}]}}}}",
    f"{{{BUTTON}, on: {{pressed: [{{include: a.yaml}}, {{emit: {{name: x, list: [1, 2]}}}}]}}}}",
    "{include: c.yaml}", "{for: {include: l.yaml}, label: l$a, at: [1, 2], text: $a}",
    "{menu: m, at: [1, 2], label: Hi, items: [{id: a, label: A}]}",
    "{resistor: r, at: [1, 2], size: [300, 300], bands: '5'}",
])
def test_a_validator_accepts_valid_kiosk_files(kiosks, control):
    assert problem(kiosks, kiosk(control)) is None


@pytest.mark.parametrize("control, said, path", [
    ("{pinwheeel: w, at: [1, 2], radius: 9, wedges: [{id: a}]}",
     "'pinwheeel' is not one of ['pinwheel', 'dial', 'menu',", []),
    ("{at: [1, 2], text: x}", "'at' is not one of ['pinwheel',", []),
    ("{for: [{a: 1}], buton: b$a, at: [1, 2]}", "'buton' is not one of ['pinwheel',", []),
    (f"{{{BUTTON}, colour: red}}", "('colour' was unexpected)", []),
    (f"{{{BUTTON}, on: {{pressed: [{{goo: p}}]}}}}", "('goo' was unexpected)", ["on", "pressed", 0]),
    (f"{{{BUTTON}, font_size: 0}}", "0 is less than the minimum of 1", ["font_size"]),
    ("{label: l, at: [1, 2, 3], text: x}", "[1, 2, 3] is too long", ["at"]),
    ("{pinwheel: w, at: [1, 2], radius: 9, wedges: [{id: a, lable: A}]}",
     "('lable' was unexpected)", ["wedges", 0]),
])
def test_a_validator_reports_misspelt_keys_with_their_location(kiosks, control, said, path):
    message, place = problem(kiosks, kiosk(control))
    assert said in message
    assert place == ["pages", 0, "controls", 0] + path


def suite(step):
    return f"suite: s\nkiosk: k.yaml\ntests: [{{test: t, for: {{id: [1]}}, steps: [{step}]}}]"


@pytest.mark.parametrize("step", [
    "{expect: {c_$id: 0}}", "{expect: {'c_${id}.value': 0, page: $id}}", "{wait: {c$id: 3}}",
    "{set: {'${id}.value': 0}}", "{expect: {event: emit, name: x, price: 4}}", "{tap: c/$id}",
])
def test_a_validator_accepts_valid_suites(suites, step):
    assert problem(suites, suite(step)) is None


@pytest.mark.parametrize("step, said", [
    ("{tpa: c}", "('tpa' was unexpected)"),
    ("{expect: {event: pressed, contorl: c}}", "('contorl' was unexpected)"),
    ("{expect: {picture: a, regoin: c}}", "('regoin' was unexpected)"),
])
def test_a_validator_reports_misspelt_keys_in_a_suite(suites, step, said):
    message, place = problem(suites, suite(step))
    assert said in message and place[:4] == ["tests", 0, "steps", 0]
