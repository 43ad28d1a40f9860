import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Setting = { path: string; name: string; value: string | number | boolean }

/** Nothing listens on the discard port: what a document fetches over the network fails there. */
const DEAD_PROXY = { host: '127.0.0.1', port: 9 }
const MANUAL_PROXY = 2
const VERY_HIGH_MACRO_SECURITY = 3
const CALC_NEVER_UPDATES = 1

const scripting = '/org.openoffice.Office.Common/Security/Scripting'
const inet = '/org.openoffice.Inet/Settings'

/** Settings that a server opening untrusted documents has to switch off. */
const settings: Setting[] = [
  { path: scripting, name: 'DisableMacrosExecution', value: true },
  { path: scripting, name: 'MacroSecurityLevel', value: VERY_HIGH_MACRO_SECURITY },
  // No document comes from a trusted place, so none may pull in pictures or sections from files and servers.
  { path: scripting, name: 'BlockUntrustedRefererLinks', value: true },
  { path: '/org.openoffice.Office.Calc/Content/Update', name: 'Link', value: CALC_NEVER_UPDATES },
  { path: inet, name: 'ooInetProxyType', value: MANUAL_PROXY },
  { path: inet, name: 'ooInetNoProxy', value: '' },
  { path: inet, name: 'ooInetHTTPProxyName', value: DEAD_PROXY.host },
  { path: inet, name: 'ooInetHTTPProxyPort', value: DEAD_PROXY.port },
  { path: inet, name: 'ooInetHTTPSProxyName', value: DEAD_PROXY.host },
  { path: inet, name: 'ooInetHTTPSProxyPort', value: DEAD_PROXY.port },
]

const item = ({ path, name, value }: Setting): string =>
  `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`

const registry = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${settings.map(item).join('\n')}
</oor:items>
`

/** Prepares a LibreOffice user profile in `folder` and returns its path. Two running instances never share one. */
export const createProfile = async (folder: string): Promise<string> => {
  const profile = join(folder, 'profile')
  await mkdir(join(profile, 'user'), { recursive: true })
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), registry)
  return profile
}
