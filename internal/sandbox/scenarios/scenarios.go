package scenarios

import (
	"context"
	"fmt"
	"strings"
)

// Scenario is a state of the world with a name.
type Scenario struct {
	Name  string
	About string // one sentence: what is the case, and where it can be seen
	build func(ctx context.Context, s *Stage) error
}

// Prepare makes the scenario true on a fresh cluster and Vault, with operators running, and returns when it can be seen.
func (c Scenario) Prepare(ctx context.Context, s *Stage) error {
	if err := c.build(ctx, s); err != nil {
		return fmt.Errorf("prepare scenario %s: %w", c.Name, err)
	}
	return nil
}

// All returns every scenario, the default one first.
func All() []Scenario {
	return []Scenario{
		{"platform", "everything that the runbooks ask of a cluster, and no application yet", platform},
		{"deployed", "the application is up, its Secrets come from Vault (variant A)", deployed},
		{"deployed-ordinary", "the application is up, its Secrets were made by hand (variant B)", deployedOrdinary},
		{"wrong-property", "an ExternalSecret asks for a property that the Vault entry does not have; only its Event says which", wrongProperty},
		{"store-denied", "the store is Ready, and its policy does not let it read the entry", storeDenied},
		{"no-gateway-namespace", "the route's parentRef has no namespace, so it means a Gateway that is not there; its status stays empty", noGatewayNamespace},
		{"secret-missing", "the application was applied before its Secrets; pods and database wait for them", secretMissing},
		{"no-cnpg-operator", "the database was applied, and the CloudNativePG operator is not installed; the Cluster has no phase", noOperator},
	}
}

// Find returns the scenario of a name; "" means the default one.
func Find(name string) (Scenario, error) {
	all := All()
	if name == "" {
		return all[0], nil
	}
	var names []string
	for _, c := range all {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Scenario{}, fmt.Errorf("find scenario %s: there is no such one; there are %s", name, strings.Join(names, ", "))
}
