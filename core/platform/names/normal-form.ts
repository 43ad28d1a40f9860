/** Marks on one letter: nobody writes more, and to bring a run of them into order takes the square of its length. */
const MANY_MARKS = /(\p{M}{32})\p{M}+/gu

/** A text in a normal form of Unicode, without the marks that nobody could see any more: a hostile text has a million. */
export const normalForm = (form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD', text: string): string =>
  text.replace(MANY_MARKS, '$1').normalize(form)
