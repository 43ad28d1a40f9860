import { Tokenizer } from 'htmlparser2'

/** Elements of which a reader sees nothing. */
const HIDDEN = new Set('script style title'.split(' '))

/** Elements that end a line. */
const LINES = new Set('br p div h1 h2 h3 h4 h5 h6 li tr'.split(' '))

/** Pieces of a text; each by itself takes several times its letters. */
const JOINED_AT_ONCE = 10_000

/**
 * The words of HTML or XHTML, well-formed or not, without what a reader does not see. The time is that of the length,
 * whatever is not closed: the tokens are read one by one, and no tree is made of them.
 *
 * @param {string} markup
 * @returns {string}
 */
export const textOfMarkup = (markup) => {
  let words = ''
  let parts = []
  let hidden
  const nameAt = (start, end) => markup.slice(start, end).toLowerCase()
  const add = (part) => {
    if (hidden !== undefined) return
    parts.push(part)
    if (parts.length < JOINED_AT_ONCE) return
    words += parts.join('')
    parts = []
  }
  const nothing = () => undefined
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext: (start, end) => add(markup.slice(start, end)),
      ontextentity: (code) => add(String.fromCodePoint(code)),
      onopentagname: (start, end) => {
        const name = nameAt(start, end)
        add(name === 'br' ? '\n' : ' ')
        if (HIDDEN.has(name)) hidden = name
      },
      onselfclosingtag: () => {
        hidden = undefined
      },
      onclosetag: (start, end) => {
        const name = nameAt(start, end)
        if (name === hidden) hidden = undefined
        add(LINES.has(name) ? '\n' : ' ')
      },
      oncdata: (start, end, offset) => add(markup.slice(start, end - offset)),
      ...{ onattribdata: nothing, onattribentity: nothing, onattribend: nothing, onattribname: nothing },
      ...{ oncomment: nothing, ondeclaration: nothing, onprocessinginstruction: nothing },
      ...{ onopentagend: nothing, onend: nothing },
    },
  )
  tokenizer.write(markup)
  tokenizer.end()
  const lines = (words + parts.join('')).replace(/[ \t\u00a0]+/g, ' ').split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}
