"""Build the compiled module. Everything else is in pyproject.toml."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import cext

setup(
    ext_modules=cythonize(
        [Extension("playout_nim.nim", ["src/playout_nim/nim.pyx"], include_dirs=[cext.get_include()])],
        compiler_directives={"language_level": 3, "cdivision": True},
    )
)
