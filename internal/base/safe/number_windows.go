package safe

import (
	"fmt"

	"golang.org/x/sys/windows"
)

// number tells the folder from every other one of its volume.
func (r *Root) number() (string, error) {
	f, err := r.at().Open(".")
	if err != nil {
		return "", err
	}
	defer f.Close()
	var st windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &st); err != nil {
		return "", fail("stat", r.name, err)
	}
	return fmt.Sprintf("file %d %d of volume %d", st.FileIndexHigh, st.FileIndexLow, st.VolumeSerialNumber), nil
}
