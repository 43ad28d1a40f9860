/** Documents that a measure is to have: what ARCHIVOLT_BENCH_DOCUMENTS says, else its own number. */
export const documentsOr = (own: number): number => Number(process.env.ARCHIVOLT_BENCH_DOCUMENTS ?? own)
