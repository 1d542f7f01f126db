package steps

import "testing"

func TestWhatIsAtHomeOnAnotherMachineIsNotHereEither(t *testing.T) {
	for _, there := range []string{
		"On the database node run:\n\n'''sh\nshop-ctl status\nls /opt/shop/bin\n'''\n", "Look:\n\n'''\nroot@db-1:~# shop-ctl status # in /opt/shop/bin\n'''\n",
	} {
		r := parseText("# A\n\n## B\n\n" + there + "\n## C\n\n'''sh\nsudo shop-ctl restart\n'''\n\n'''sh\nrm -rf /opt/shop/data\n'''\n\n" +
			"'''sh\nls /opt/other/data\n'''\n\n'''sh\nkubectl exec web -- ls /opt/shop/data\n'''\n\n'''sh\nls /tmp\n'''\n")
		wantWhy(t, r, map[string]string{"restart": WhyRemote, "rm -rf": WhyRemote, "other": "", "kubectl": "", "/tmp": ""})
	}
}

func TestWhatAPodHasMayBeHereToo(t *testing.T) {
	r := parseText("# A\n\n## B\n\n'''sh\nkubectl exec -it web -- sh\n'''\n\n'''sh\nshop-ctl status\n'''\n\n## C\n\nOn your machine:\n\n'''sh\nshop-ctl version\n'''\n")
	wantWhy(t, r, map[string]string{"status": WhyRemote, "version": ""})
}

func TestAToolThatEverybodyHasSaysNothing(t *testing.T) {
	r := parseText("# A\n\n## B\n\nOn the node run:\n\n'''sh\ncurl localhost\nssh-keygen -A\n'''\n\n## C\n\n'''sh\ncurl example.org\nssh-keygen -l\n'''\n")
	wantWhy(t, r, map[string]string{"example.org": ""})
}
