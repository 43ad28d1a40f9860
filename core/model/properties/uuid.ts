const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text may be the id of a document, or of a bulk command: nothing else is looked up by such a key. */
export const isUuid = (text: string): boolean => UUID.test(text)
