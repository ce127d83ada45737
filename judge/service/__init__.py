"""The steps joined: receive, handle, close, deliver; transactions and retries.  What a step decides lives below."""
