import { type ErrorDetail, fail, isArchivoltError } from '../../platform/errors/index.js'
import type { BusinessAdapter } from './types.js'

type Violation = ErrorDetail & { path?: readonly { field_name: string }[] }

const fieldOf = ({ fields }: BusinessAdapter, xpath: string): string | undefined =>
  fields.find(
    (field) => field.kind === 'property' && (field.xpath === xpath || xpath.startsWith(`${field.xpath}/`)),
  )?.name

const renamed = (adapter: BusinessAdapter, detail: Violation): Violation => {
  const name = detail.field === undefined ? undefined : fieldOf(adapter, detail.field)
  if (name === undefined) return detail
  const [first, ...others] = detail.path ?? []
  return { ...detail, field: name, ...(first && { path: [{ ...first, field_name: name }, ...others] }) }
}

/** Runs a write; violations of the content model are reported by the field names that the caller used. */
export const namedByField = async <Result>(
  adapter: BusinessAdapter,
  write: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await write()
  } catch (error) {
    if (!isArchivoltError(error) || error.code !== 'invalid') throw error
    const details = error.details.map((detail) => renamed(adapter, detail))
    const message = details.map(({ field, message: reason }) => `${field}: ${reason}`).join('; ')
    throw fail('invalid', message || error.message, { cause: error, details })
  }
}
