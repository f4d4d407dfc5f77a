# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The table of layers.txt, for the checks that hold sources against it.

function read_layers(path,    line, parts, n, i, folder) {
    while ((getline line < path) > 0) {
        sub(/#.*/, "", line)
        n = split(line, parts, " ")
        for (i = 1; i <= n; i++) {
            if (parts[i] ~ /:$/) {
                folder = substr(parts[i], 1, length(parts[i]) - 1)
                below[folder] = " "
            } else if (parts[i] != "\\") {
                below[folder] = below[folder] parts[i] " "
            }
        }
    }
    close(path)
}

# The folder of the table that a folder belongs to; empty where there is none.
function layer_of(folder) {
    while (folder != "" && !(folder in below)) {
        if (!sub(/\/[^\/]*$/, "", folder)) { folder = "" }
    }
    return folder
}

# Whether what is in one folder of the table may use what is in another one.
function may_use(from, to) {
    return from == to || to == "hal/include" || to == "hal/contract" || index(below[from], " =" to " ") || reaches(from, to)
}

function reaches(from, to,    parts, n, i, found) {
    if ((from, to) in known) { return known[from, to] }
    n = split(below[from], parts, " ")
    for (i = 1; i <= n && !found; i++) {
        found = parts[i] !~ /^=/ && (parts[i] == to || reaches(parts[i], to))
    }
    return known[from, to] = found + 0
}
