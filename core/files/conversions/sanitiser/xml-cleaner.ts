import { SaxesParser, type SaxesTagNS } from 'saxes'
import { type Cleaner, createLevels, piecesOf } from './cleaner.js'
import { declaredEntities } from './entities.js'

/** What is left of the parts of an XML document; each is asked about in order. */
export type XmlRules = {
  /** What the document begins with. */
  start?: string
  /** Characters of one text or comment, where they may be more than usual. */
  longest?: number
  /** The tag as it is written; null leaves the element out, with all that is in it. */
  open(tag: SaxesTagNS): string | null
  close(tag: SaxesTagNS): string
  text(part: string): string
}

/** A cleaner of documents in XML, which writes what its rules leave. */
export const createXmlCleaner = ({ start = '', longest, open, close, text }: XmlRules): Cleaner => {
  const parser = new SaxesParser({ xmlns: true })
  const levels = createLevels(longest)
  let out = start
  /** Levels of elements that are left out. */
  let dropped = 0

  const write = (part: string): void => {
    levels.part(part)
    if (dropped === 0) out += text(part)
  }
  parser.on('opentagstart', levels.begin)
  parser.on('attribute', ({ value }) => levels.attribute(value))
  parser.on('opentag', (tag) => {
    levels.enter()
    const opened = dropped > 0 ? null : open(tag)
    if (opened === null) dropped++
    else out += opened
  })
  parser.on('closetag', (tag) => {
    levels.leave()
    if (dropped > 0) dropped--
    else out += close(tag)
  })
  parser.on('text', write)
  parser.on('cdata', write)
  parser.on('comment', levels.part)
  parser.on('processinginstruction', ({ body }) => levels.part(body))
  parser.on('doctype', (doctype) => {
    levels.part(doctype)
    Object.assign(parser.ENTITIES, declaredEntities(doctype))
  })

  const taken = (): string => {
    const result = out
    out = ''
    return result
  }
  return {
    write: (part) => {
      for (const piece of piecesOf(part)) {
        parser.write(piece)
        levels.read(piece.length)
      }
      return taken()
    },
    end: () => {
      parser.close()
      return taken()
    },
  }
}
