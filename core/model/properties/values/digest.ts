/** The digest algorithms of blobs. A digest's length determines its algorithm. */
export type DigestAlgorithm = 'MD5' | 'SHA-1' | 'SHA-256' | 'SHA-512'

const HEX = /^[0-9a-f]+$/

/** Hex characters of each algorithm; the keys of a store may be of several. */
const lengthOf: Record<DigestAlgorithm, number> = { MD5: 32, 'SHA-1': 40, 'SHA-256': 64, 'SHA-512': 128 }

const algorithmByLength = new Map(
  Object.entries(lengthOf).map(([algorithm, length]) => [length, algorithm as DigestAlgorithm]),
)

/** The algorithm of a digest by its length, or null when the text is no digest (`../..`, upper case). */
export const digestAlgorithmOf = (digest: string): DigestAlgorithm | null =>
  (HEX.test(digest) && algorithmByLength.get(digest.length)) || null
