"""The archive for web servers that speak ASGI: ``uvicorn judge.asgi:application``; JUDGE_CONFIG names the configuration."""

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp


@cache
def make_application() -> "ASGIApp":
    """The archive as JUDGE_CONFIG, or judge.toml in this folder, has it."""
    from judge.config import read_config
    from judge.log import set_up_logging
    from judge.web.app import make_app
    from judge.wiring import build_archive

    config = read_config(Path(os.environ.get("JUDGE_CONFIG", "judge.toml")))
    set_up_logging(config)
    return make_app(build_archive(config))


def __getattr__(name: str) -> "ASGIApp":
    """`application`, made when a server first asks for it, so that this module can be imported without a configuration."""
    if name == "application":
        return make_application()
    raise AttributeError(name)
