/**
 * The process in which the words of one mail or book are read, so that its memory is bounded and nobody waits for it.
 * Plain JavaScript, so that it starts without a loader. Argument: a `WordsJob` as JSON. It writes a line of JSON when the
 * words are written, `{}`, or else why they are not: `{"refusal":"…"}`, or `{"failure":"…"}`.
 *
 * @typedef {import('./read-words.js').WordsJob} WordsJob
 */
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { textOfMarkup } from './markup.mjs'

/** Parts within parts; nobody nests deeper in earnest. */
const MAX_DEPTH = 32

/** Mails within mails: each is read again by itself. The files of those within are named. */
const MAX_MAILS = 4

/** Each costs the reader an object of its own, however short it is. */
const MAX_PARTS = 10_000
const MAX_LINES = 1_000_000

class Refusal extends Error {}

const countOf = (bytes, text) => {
  let count = 0
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) count++
  return count
}

/** Refuses too many lines, and lines that may begin a part, before anything is made of them. */
const requireFew = (bytes) => {
  if (countOf(bytes, '\n') > MAX_LINES) throw new Refusal(`A mail has ${MAX_LINES} lines at most`)
  if (countOf(bytes, '\n--') > MAX_PARTS) throw new Refusal(`A mail has ${MAX_PARTS} parts at most`)
}

const addressOf = ({ name, address, group }) =>
  group ? group.map(addressOf).join(', ') : [name, address && `<${address}>`].filter(Boolean).join(' ')

/** The subject of a mail, its addresses and what it says; its attachments are named. */
const readMail = async ({ input, output }) => {
  const bytes = await readFile(input)
  requireFew(bytes)
  const { default: PostalMime } = await import('postal-mime')
  const limits = { maxNestingDepth: MAX_DEPTH, maxRfc822NestingDepth: MAX_MAILS }
  const mail = await PostalMime.parse(bytes, limits)
  const lines = [
    ...(mail.subject ? [`Subject: ${mail.subject}`] : []),
    ...(mail.from ? [`From: ${addressOf(mail.from)}`] : []),
    ...(mail.to?.length ? [`To: ${mail.to.map(addressOf).join(', ')}`] : []),
    '',
    mail.text?.trim() ? mail.text : textOfMarkup(mail.html ?? ''),
    ...mail.attachments.flatMap(({ filename }) => (filename ? [`Attachment: ${filename}`] : [])),
  ]
  await writeFile(output, `${lines.join('\n').trimEnd()}\n`)
}

/** The words of chapters, one after the other. */
const readChapters = async ({ input, chapters, output }) => {
  await writeFile(output, '')
  for (let at = 0; at < chapters; at++)
    await appendFile(output, `${textOfMarkup(await readFile(`${input}${at}`, 'utf8'))}\n\n`)
}

const answer = (said) => process.stdout.write(`${JSON.stringify(said)}\n`)

/** @type {WordsJob} */
const job = JSON.parse(process.argv[2])
try {
  await (job.chapters === undefined ? readMail(job) : readChapters(job))
  answer({})
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  answer(error instanceof Refusal ? { refusal: message } : { failure: message })
}
