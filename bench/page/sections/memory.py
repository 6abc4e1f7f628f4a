"""Memory of a search, of its tree and of the process."""

from ..format import case_of, code, significant, table


def markdown(suite):
    return table(
        ["Game", "Nodes", "Bytes of tree a simulation", "Resident bytes a simulation"],
        [
            [
                code(case_of(result)),
                f"{result.values['nodes']:,.0f}",
                significant(result.values["tree_bytes_per_simulation"]),
                significant(result.values["resident_bytes_per_simulation"]),
            ]
            for result in suite.group("memory")
        ],
    )
