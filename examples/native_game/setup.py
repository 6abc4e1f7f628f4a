"""Build the compiled module. Everything else is in pyproject.toml."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import playout

setup(
    ext_modules=cythonize(
        [Extension("playout_nim.nim", ["src/playout_nim/nim.pyx"], include_dirs=[playout.get_include()])],
        compiler_directives={"language_level": 3, "cdivision": True},
    )
)
