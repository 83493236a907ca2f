"""The course as a static web site: ``prviz site``."""

from .build import write_site

__all__ = ["write_site"]
