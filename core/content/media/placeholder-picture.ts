import { createHash } from 'node:crypto'
import { isBlobValue, type PropertyValue } from '../../model/properties/index.js'

export const PLACEHOLDER_NAME = 'empty_picture.png'

/** Of the placeholder, as a view says it. */
export const PLACEHOLDER_INFO = { width: 100, height: 100, depth: 8, format: 'PNG', colorSpace: 'sRGB' }

/** A grey square, as PNG. */
export const PLACEHOLDER = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAGQAAABkAQMAAABKLAcXAAAAA1BMVEXY2NjlCUyjAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFElEQVQ4y2NgGAWjYBSMglFATwAABXgAASlxufwAAAAASUVORK5CYII=',
  'base64',
)

const KEY = createHash('sha256').update(PLACEHOLDER).digest('hex')

/** Whether an item of `picture:views` stands for one that is yet to be made. */
export const isPlaceholder = (view: PropertyValue): boolean => {
  const content = typeof view === 'object' && view !== null && 'content' in view ? view.content : undefined
  return isBlobValue(content) && content.key === KEY
}
