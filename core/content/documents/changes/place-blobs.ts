import type { Properties } from '../../../model/properties/index.js'
import { placedBlobs } from '../reading/blob-at.js'
import type { Session } from '../session.js'

/** Puts the files of values that are about to be saved where the deployment's rules want them. */
export const placeBlobs = async (session: Session, type: string, values: Properties): Promise<void> => {
  if (!session.placeBlob) return
  for (const [xpath, value] of Object.entries(values))
    for (const { blob } of placedBlobs(xpath, value)) await session.placeBlob(blob, type)
}
