import type { BlobValue, DocumentRecord } from '../../model/properties/index.js'
import { fail, isArchivoltError } from '../../platform/errors/index.js'
import type { ExpressionEngine } from '../../platform/sandbox/expressions/index.js'
import { hostDocument, type Session } from '../documents/index.js'
import { downloadPermissionsPoint } from './download-permissions-point.js'
import { NO_RUN, programOf } from './program.js'

/** A file that is about to be downloaded. */
export type Download = {
  document: DocumentRecord
  blob: BlobValue
  /** Where the file is, as it was asked for; null for what the document does not hold itself. */
  xpath: string | null
  /** `download`, or `rendition`, or another way to the file. */
  reason: string
  /** Name of the rendition, if it is one. */
  rendition?: string
  infos?: { [name: string]: string | number | boolean | null }
}

/** Evaluates the scripts, and is notified of a script that is skipped. */
export type DownloadJudge = {
  expressions: Pick<ExpressionEngine, 'evaluate'>
  onSkipped(name: string, reason: unknown): void
}

/**
 * Asks the scripts of the deployment whether a file may be downloaded, administrators included (reference: security.md §9).
 * A script that fails, or answers neither true nor false, is reported to the judge and skipped; one that exceeds
 * a limit of time or memory denies.
 *
 * @throws forbidden when a script denies, internal when it has no function `run`.
 */
export const requireDownload = async (
  session: Session,
  download: Download,
  judge: DownloadJudge,
): Promise<void> => {
  const scripts = [...session.contributions.get(downloadPermissionsPoint)]
    .filter(([, { enabled = true }]) => enabled)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [name, { script = '' }] of scripts) {
    const answer = await answerOf(session, download, { name, script, judge })
    if (answer === NO_RUN) throw fail('internal', `downloadPermissions.${name}: ${NO_RUN}`)
    if (answer === false) throw refused(session, download)
    if (answer !== true && answer !== undefined) judge.onSkipped(name, `answers ${JSON.stringify(answer)}`)
  }
}

const refused = ({ principal }: Session, { document, xpath, rendition }: Download) =>
  fail(
    'forbidden',
    `User '${principal.name}' may not download ${rendition ?? xpath ?? 'this file'} of ${document.id}`,
  )

/** The answer of a script; undefined when it is skipped, after a call of the judge. */
const answerOf = async (
  session: Session,
  { document, blob, xpath, reason, rendition, infos = {} }: Download,
  { name, script, judge }: { name: string; script: string; judge: DownloadJudge },
): Promise<unknown> => {
  const { name: filename, 'mime-type': mimeType, length, digest } = blob
  try {
    return await judge.expressions.evaluate(programOf(script), {
      document: hostDocument(session, document),
      input: null,
      variables: {
        XPath: xpath?.replaceAll(';', ':') ?? null,
        Blob: { filename, mimeType, length, digest },
        Reason: reason,
        Rendition: rendition ?? null,
        Infos: infos,
      },
      principal: session.principal,
      now: session.now,
      env: {},
    })
  } catch (error) {
    // An error of the script itself has a position; a limit, or an unavailable sandbox, has none.
    if (!isArchivoltError(error) || error.details.length === 0) throw notDecided(session, document, error)
    judge.onSkipped(name, error)
    return undefined
  }
}

const notDecided = ({ principal }: Session, { id }: DocumentRecord, cause: unknown) =>
  fail('forbidden', `It could not be decided whether '${principal.name}' may download a file of ${id}`, {
    cause,
  })
