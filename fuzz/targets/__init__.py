"""One target in each file. `fuzz.registry` finds them by scanning; no other file lists them.

A target is a module with

- a docstring, whose first line says what it reads;
- `target(data)`: use the bytes, and return. It catches the errors that are documented for such input; every other
  exception, a crash, more than TIMEOUT_SECONDS and more than RSS_MB of memory are findings;
- `SEEDS`, optional: inputs to begin with;
- `TOKENS`, optional: texts that the input often contains, for the dictionary of libFuzzer.
- `NEEDS`, optional: name of a module without which the target cannot run.

A module that stores nothing outside of `target` gives the same result for the same bytes, whatever ran before.
"""
