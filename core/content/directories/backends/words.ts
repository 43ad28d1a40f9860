/** The words of a full-text condition: all of them have to be in a value, anywhere. */
export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')
