/** The value of a program whose script has defined no `run`. */
export const NO_RUN = 'there is no function run'

/** The caller with the methods that scripts of the reference platform call. */
const CALLER = `{
  name: user.name, groups: user.groups, allGroups: user.groups, administrator: user.administrator,
  getName: function () { return user.name },
  getAllGroups: function () { return user.groups },
  isMemberOf: function (group) { return user.groups.includes(group) },
  isAdministrator: function () { return user.administrator }
}`

/** The file with the getters that scripts of the reference platform call. */
const BLOB = `{
  filename: file.filename, mimeType: file.mimeType, length: file.length, digest: file.digest,
  getFilename: function () { return file.filename },
  getMimeType: function () { return file.mimeType },
  getLength: function () { return file.length },
  getDigest: function () { return file.digest }
}`

/** The expression that runs a script: its statements in a function of their own, and then its `run`. */
export const programOf = (script: string): string =>
  `(function (user, file) { return (function (CurrentUser, Blob) {\n${script}\n` +
  `; return typeof run === 'function' ? run() : '${NO_RUN}' })(${CALLER}, ${BLOB}) })(CurrentUser, File)`
