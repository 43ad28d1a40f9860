const PATTERNS = {
  subinitial: (text: string) => `${text}%`,
  subfinal: (text: string) => `%${text}`,
  subany: (text: string) => `%${text}%`,
}

/** The pattern of LIKE that finds a text as it stands. */
export const likePattern = (text: string, match: keyof typeof PATTERNS): string =>
  PATTERNS[match](text.replace(/[\\%_]/g, '\\$&'))
