import type { DocumentRecord } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'

/** Outlines on a field of 100 by 100. */
const SHAPES = {
  folder: 'M8 24h30l8 10h46v48H8z',
  note: 'M20 8h60v84H20z M32 28h36 M32 44h36 M32 60h24',
  file: 'M22 8h40l18 18v66H22z M62 8v18h18',
} as const

const shapeOf = ({ model }: Session, { type, facets }: DocumentRecord): keyof typeof SHAPES => {
  if (model.facetsOf(type, facets).includes('Folderish')) return 'folder'
  return model.schemasOf(type, facets).some(({ name }) => name === 'note') ? 'note' : 'file'
}

/** What stands for a document that has no picture, by its kind: an SVG with its file name. */
export const iconOf = (session: Session, document: DocumentRecord): { name: string; svg: string } => {
  const shape = shapeOf(session, document)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100"><path d="${SHAPES[shape]}" fill="#f4f4f4" stroke="#666" stroke-width="4"/></svg>`
  return { name: `${shape}.svg`, svg }
}
