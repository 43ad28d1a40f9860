/** Everything that moves the cursor, colours text or hides it, line ends and tabs aside. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Untrusted text, such as a title, without control sequences for the terminal. */
export const printable = (text: string): string => text.replaceAll('\r\n', '\n').replace(CONTROL, '\uFFFD')

/** The same as one line. */
export const printableLine = (text: string): string => printable(text.trim().replace(/\s*[\r\n]+\s*/g, ' '))

/** Cuts a line to a width, with an ellipsis at the cut. */
export const clip = (line: string, width: number): string =>
  line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`
