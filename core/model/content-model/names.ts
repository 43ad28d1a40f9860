import { z } from 'zod'

/** Types, facets, schemas, life cycles, permissions: what NXQL, URLs and headers can carry unescaped. */
export const modelName = z
  .string()
  .regex(/^[A-Za-z][\w.-]*$/, 'letters, digits, "_", "-" or ".", a letter first')

/** Field names are path steps of an xpath, so neither `/` nor `:` nor a leading digit. */
export const fieldName = z.string().regex(/^[A-Za-z][\w-]*$/, 'letters, digits, "_" or "-", a letter first')
