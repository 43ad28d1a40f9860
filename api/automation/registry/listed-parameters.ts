import type { Parameter, Parameters } from '../../../core/automation/language/index.js'

/** The parameters of an operation under each of their names: some clients send none that they do not find. */
export const listedParameters = (params: Parameters): [name: string, parameter: Parameter][] =>
  Object.entries(params).flatMap(([name, parameter]): [string, Parameter][] => [
    [name, parameter],
    ...(parameter.aliases ?? []).map((alias): [string, Parameter] => [
      alias,
      { ...parameter, isRequired: false, description: `Another name of ${name}.` },
    ]),
  ])
