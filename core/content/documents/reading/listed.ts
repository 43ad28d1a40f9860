/** Properties of a document that an entity without properties is written from: its title, and when it was changed. */
export const LISTED_PROPERTIES: readonly string[] = ['dc:title', 'dc:modified']
