import type { BlobSource, BlobValue } from '../../../model/properties/index.js'
import type { Variables } from './values.js'

type Upload = Pick<Extract<BlobSource, { kind: 'upload' }>, 'batch' | 'file'>

/**
 * The variable that holds a file which the caller of a run has uploaded. The batch goes with the call, while its run may
 * last; and only a value that a call cannot write down is a file that its caller may use.
 */
export const uploadVariable = ({ batch, file }: Upload): string => `upload/${batch}/${file}`

/** The file that JSON of a run names by its upload; undefined when its caller has not uploaded it. */
export const uploadedFile = (variables: Variables, upload: Upload): BlobValue | undefined => {
  const name = uploadVariable(upload)
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined
  return value?.type === 'blob' ? value.blob : undefined
}
