/** `file:` addresses, and absolute paths of at least two parts; what stands before a path is kept. */
const PATHS = /file:[^\s'"<>)]*|(?<![\w.:/-])(?:\/[^\s/'"<>:()]+){2,}\/?/gi

/** A program's message as callers may see it: without places on this machine. */
export const withoutPaths = (message: string, folder: string): string =>
  message.replaceAll(`file://${folder}/`, '').replaceAll(`${folder}/`, '').replaceAll(PATHS, '…')
