"""All that is kept, in PostgreSQL: `manager.py` is the contract, `stores.py` its handles.

- Stores, a file each: `conversation`, `knowledge` (papers), `document` (other texts), `passages`,
  `workflow`, `toolbox`, `entity`, `summary`, `tool_log`, `relation`, `episode`, `lesson`.
- A turn: begun in `turn.py`, what bears on it read by `recall.py`, stored by `finishing.py`;
  `outbox.py` keeps it on disk while the database is away.
- Searches: `retrieval.py` over papers, `passage_search.py` over full texts, `message_recall.py`
  over what was said, `hybrid` over a person's memories, `graph` along what is joined.
- Writing: `gate` compares what comes with what is held; `change_log.py` and `undo.py` keep the way
  back; `remembering.py` is the person's consent, `rights` what they may do with all of it.
- The database: `postgres.py` gives transactions in a person's name, `opening.py` a database that is
  ready, `migrate.py` its schema, `embedded.py` the server that comes along.
"""
