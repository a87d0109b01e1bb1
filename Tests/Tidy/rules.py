"""The rules. Each is a function from a Tree to findings; examples.py has what each must find and must leave alone."""
import document_rules  # noqa: F401
import folder_rules  # noqa: F401
import line_rules  # noqa: F401
import sql_rules  # noqa: F401
from basics import RULES  # noqa: F401
