/** How long a connection may take to be closed in order, seconds: a server that is gone does not answer to it. */
export const CONNECTION_END = { timeout: 5 }
