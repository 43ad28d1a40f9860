export { createSupervisor, type Service, type StartContext, type Supervisor } from './supervisor.js'
