"""The page: a server on this machine, and a board in the browser from which everything in the engine can be seen.

`serve` starts it, `app` answers requests, `guard` lets nobody else in, a `session` serves one tab over its websocket:
`messages` reads what the tab asks, and the other modules answer one kind of question each.
"""
