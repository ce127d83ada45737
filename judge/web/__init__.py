"""The archive on the web, read only: the site, a server for it, and the same pages as files.

What a page says is `report`; which games may be seen is `service.archive`.  `app` and `serving` need the extra packages ``web``, so
they are imported from their modules.
"""

from judge.web.export import Exported, export_site
from judge.web.site import Content, Site, SitePart

__all__ = ["Content", "Exported", "Site", "SitePart", "export_site"]
