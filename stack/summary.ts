import { ADMINISTRATOR, type AdministratorPassword } from './home/index.js'

export type SummaryOptions = {
  apiUrl: string
  temporalUi?: string
  password: AdministratorPassword
  /** Whether a setting gave it by a file. */
  isPasswordInFile?: boolean
  /** Whether the API accepts that password. Not when the database had its administrator before this home. */
  isAccepted: boolean
  elapsedMs: number
}

const describePassword = ({ password, isAccepted, isPasswordInFile }: SummaryOptions): string => {
  if (password.origin === 'earlier') return 'the password set at the first start'
  if (!isAccepted) return 'the password that this database already has for it'
  if (password.origin === 'setting')
    return isPasswordInFile
      ? 'the password in the file ARCHIVOLT_ADMIN_PASSWORD_FILE'
      : 'the password from ARCHIVOLT_ADMIN_PASSWORD'
  return `password ${password.password} (generated; shown only this once, so keep it)`
}

/** The password as it stands in the commands: only a generated one is written out. */
const credentials = ({ password, isAccepted, isPasswordInFile }: SummaryOptions): string => {
  if (password.origin === 'generated' && isAccepted) return `${ADMINISTRATOR}:${password.password}`
  if (password.origin === 'setting' && isAccepted)
    return `${ADMINISTRATOR}:${isPasswordInFile ? '$(cat "$ARCHIVOLT_ADMIN_PASSWORD_FILE")' : '$ARCHIVOLT_ADMIN_PASSWORD'}`
  return ADMINISTRATOR
}

/** What `npm start` prints when everything is ready. */
export const renderSummary = (options: SummaryOptions): string => {
  const { apiUrl } = options
  const curl = `curl -u "${credentials(options)}"`
  const json = "-H 'Content-Type: application/json'"
  const file = '{"entity-type":"document","type":"File","name":"hello","properties":{"dc:title":"Hello"}}'
  const query = '{"params":{"query":"SELECT * FROM Document"},"context":{}}'
  return [
    '',
    `Archivolt is ready after ${(options.elapsedMs / 1000).toFixed(1)} s.`,
    '',
    `  API            ${apiUrl}`,
    ...(options.temporalUi ? [`  Temporal UI    ${options.temporalUi}`] : []),
    `  Administrator  ${ADMINISTRATOR}, ${describePassword(options)}`,
    '',
    'To try:',
    '',
    `  ${curl} ${apiUrl}/api/v1/path/`,
    `  ${curl} ${json} -d '${file}' ${apiUrl}/api/v1/path/default-domain/workspaces`,
    `  ${curl} ${json} -d '${query}' ${apiUrl}/api/v1/automation/Repository.Query`,
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n')
}
