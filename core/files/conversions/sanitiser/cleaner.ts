/** Takes a document piece by piece and returns what is left of each. Throws an Error for one that cannot be read. */
export type Cleaner = {
  write(text: string): string
  end(): string
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as it is written into XML and HTML, in elements and attributes alike. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ESCAPES[char]!)
