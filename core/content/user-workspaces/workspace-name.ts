/** What has a meaning in a path, the escape itself, and what names may not hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are dropped from names, so two users would meet
const ESCAPED = /[~/\\?&;@\u0000-\u001f\u007f]|^\s+|(?<!\s)\s+$|^\.+$/g

/**
 * The name of a user's workspace: the user's, with `~` and two hex digits for what a path cannot hold
 * (workflow-audit.md §9). Two users never share one, as they could if all of these became one character.
 */
export const workspaceName = (username: string): string =>
  username.replace(ESCAPED, (found) =>
    [...Buffer.from(found)].map((byte) => `~${byte.toString(16).padStart(2, '0')}`).join(''),
  )
