package operators

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Gateway is what is read of a gateway.networking.k8s.io Gateway.
type Gateway struct {
	Meta `json:"metadata"`
	Spec struct {
		Class     string     `json:"gatewayClassName"`
		Listeners []Listener `json:"listeners"`
	} `json:"spec"`
	object *unstructured.Unstructured
}

// Meta is the part of an object's metadata that routing asks for.
type Meta struct {
	Name       string `json:"name"`
	Namespace  string `json:"namespace"`
	Generation int64  `json:"generation"`
}

// Listener is one of a Gateway's listeners.
type Listener struct {
	Name     string  `json:"name"`
	Hostname string  `json:"hostname"`
	Port     int64   `json:"port"`
	Protocol string  `json:"protocol"`
	TLS      *TLSRef `json:"tls"`
	Allowed  *struct {
		Namespaces *struct {
			From     string         `json:"from"`
			Selector map[string]any `json:"selector"`
		} `json:"namespaces"`
	} `json:"allowedRoutes"`
}

// TLSRef names the certificates of a listener.
type TLSRef struct {
	Certificates []Ref `json:"certificateRefs"`
}

// Ref names another object; Namespace is empty for the referrer's own.
type Ref struct {
	Group     string `json:"group"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// Parent is one of a route's parentRefs.
type Parent struct {
	Group       *string `json:"group"`
	Kind        *string `json:"kind"`
	Name        string  `json:"name"`
	Namespace   string  `json:"namespace"`
	SectionName string  `json:"sectionName"`
	Port        int64   `json:"port"`
}

// gateway reports whether p refers to a Gateway; a route may also hang off a Service.
func (p Parent) gateway() bool {
	return (p.Group == nil || *p.Group == Gateways.Group) && (p.Kind == nil || *p.Kind == "Gateway")
}

// Backend is where a rule sends its requests.
type Backend struct {
	Ref    `json:",inline"`
	Port   int64  `json:"port"`
	Weight *int64 `json:"weight"`
}

// Rule is one rule of a route.
type Rule struct {
	Matches []struct {
		Path *struct {
			Type  string `json:"type"`
			Value string `json:"value"`
		} `json:"path"`
		Method string `json:"method"`
	} `json:"matches"`
	Filters []struct {
		Type     string `json:"type"`
		Redirect *struct {
			Scheme string `json:"scheme"`
			Status int    `json:"statusCode"`
		} `json:"requestRedirect"`
	} `json:"filters"`
	Backends []Backend `json:"backendRefs"`
}

// Route is what is read of an HTTPRoute.
type Route struct {
	Meta `json:"metadata"`
	Spec struct {
		Parents   []Parent `json:"parentRefs"`
		Hostnames []string `json:"hostnames"`
		Rules     []Rule   `json:"rules"`
	} `json:"spec"`
	object *unstructured.Unstructured
}

// decoded reads o into one of the types above; what does not fit is skipped, since the API server has validated it.
func decoded(o *unstructured.Unstructured, into any) bool {
	raw, err := o.MarshalJSON()
	return err == nil && json.Unmarshal(raw, into) == nil
}

func (c *cluster) gateways() []*Gateway {
	var out []*Gateway
	for _, o := range c.all(Gateways) {
		if g := (&Gateway{object: o}); decoded(o, g) {
			out = append(out, g)
		}
	}
	return out
}

func (c *cluster) routes() []*Route {
	var out []*Route
	for _, o := range c.all(HTTPRoutes) {
		if r := (&Route{object: o}); decoded(o, r) {
			out = append(out, r)
		}
	}
	return out
}
