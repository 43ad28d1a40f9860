/** The beginning of a text, without half a surrogate pair at its end. @param most characters (UTF-16 code units). */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
