import type { PropertyValue } from '../../../model/properties/index.js'
import type { Value } from '../../language/index.js'

type Source = NonNullable<Extract<Value, { type: 'documents' }>['source']>

/** How the other pages of a list are asked for: by the same call, but for the page. */
export const sourceOf = (
  operation: string,
  { currentPageIndex: _page, offset: _offset, ...given }: { readonly [name: string]: unknown },
): Source => {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  return { operation, parameters: Object.fromEntries(set) as { [name: string]: PropertyValue } }
}
