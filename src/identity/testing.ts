export { TWO_PEOPLE_ACTIONS } from './two-people';
export { scopesOfRoles } from './users/role';
