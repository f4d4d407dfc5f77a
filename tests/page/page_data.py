# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The data that a page of a report (hal/host/observe/report) holds.
import json
import re


def data_of_page(path):
    text = path.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return json.loads(found.group(1))["data"]
